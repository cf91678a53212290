/** Returns a ZIP of the large kind, whose list makes a reader look for a field forever. */
export function createZip64(): Uint8Array {
  const [listStart, endStart, locatorStart] = [0, 46, 102];
  const bytes = new Uint8Array(locatorStart + 20 + 22);
  const view = new DataView(bytes.buffer);
  bytes.set([0x50, 0x4b]);
  view.setUint32(listStart + 20, 0xffffffff, true);
  view.setUint32(endStart, 0x06064b50, true);
  view.setUint32(endStart + 32, 1, true);
  view.setUint32(locatorStart + 8, endStart, true);
  view.setUint32(locatorStart + 20, 0x06054b50, true);
  view.setUint16(locatorStart + 20 + 8, 65_535, true);
  view.setUint16(locatorStart + 20 + 10, 65_535, true);
  view.setUint32(locatorStart + 20 + 16, 0xffffffff, true);
  return bytes;
}
