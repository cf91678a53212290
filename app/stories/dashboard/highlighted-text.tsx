/** Shows a text, and highlights the beginnings of words that the user has searched for. */
export function HighlightedText({ text, query }: { text: string; query: string }) {
  const wanted = query.toLowerCase().match(WORDS);
  if (!wanted) return text;
  return text.split(/([\p{L}\p{N}]+)/u).map((part, index) => {
    const found = wanted.find((word) => part.toLowerCase().startsWith(word));
    if (found === undefined) return part;
    return (
      <span key={index}>
        <mark>{part.slice(0, found.length)}</mark>
        {part.slice(found.length)}
      </span>
    );
  });
}

const WORDS = /[\p{L}\p{N}]+/gu;
