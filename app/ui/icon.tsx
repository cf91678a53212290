const PATHS = {
  info: "M10 9v5M10 6.2v.1M10 18a8 8 0 1 0 0-16 8 8 0 0 0 0 16Z",
  success: "m6.5 10.2 2.4 2.4 4.6-5M10 18a8 8 0 1 0 0-16 8 8 0 0 0 0 16Z",
  warn: "M10 8v4M10 14.7v.1M10 2.5 18.5 17h-17L10 2.5Z",
  error: "M10 6v5M10 13.8v.1M6.7 2h6.6L18 6.7v6.6L13.3 18H6.7L2 13.3V6.7L6.7 2Z",
  close: "m5 5 10 10M15 5 5 15",
  check: "m4.5 10.5 3.5 3.5 7.5-8",
  list: "M7.5 5H17M7.5 10H17M7.5 15H17M3.5 5v.1M3.5 10v.1M3.5 15v.1",
  back: "m12 5-5 5 5 5",
  forward: "m8 5 5 5-5 5",
  down: "m5.5 8 4.5 4.5L14.5 8",
  more: "M4 10a.5.5 0 1 0 1 0 .5.5 0 0 0-1 0ZM9.5 10a.5.5 0 1 0 1 0 .5.5 0 0 0-1 0ZM15 10a.5.5 0 1 0 1 0 .5.5 0 0 0-1 0Z",
  quote: "M8.5 6C6 7 4.5 9 4.5 11.5A2 2 0 1 0 6.5 10M16 6c-2.5 1-4 3-4 5.5a2 2 0 1 0 2-1.5",
  sun: "M10 13.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM10 1.5v2M10 16.5v2M1.5 10h2M16.5 10h2M4 4l1.4 1.4M14.6 14.6 16 16M4 16l1.4-1.4M14.6 5.4 16 4",
  moon: "M16.8 12.4A7.5 7.5 0 0 1 7.6 3.2a7.5 7.5 0 1 0 9.2 9.2Z",
  people:
    "M7.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2 16.5c0-3 2.2-5 5.5-5s5.5 2 5.5 5M13 4a3 3 0 0 1 0 5.3M14.5 11.8c2.2.6 3.5 2.3 3.5 4.7",
  search: "M9 15.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM13.8 13.8 17.5 17.5",
  device: "M3 3.5h14v9.5H3zM7 17h6M10 13v4",
} as const;

export type IconName = keyof typeof PATHS;

type IconProps = { className?: string | undefined } & (
  | { name: IconName; path?: undefined }
  // For an icon that only one part of the app uses: its path is stored there, so that not every page loads it.
  | { name?: undefined; path: string }
);

/** A decorative icon. Use it next to text, or in a button with an `aria-label`. */
export function Icon({ name, path, className }: IconProps) {
  return (
    <svg
      className={className}
      viewBox="0 0 20 20"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={name ? PATHS[name] : path} />
    </svg>
  );
}
