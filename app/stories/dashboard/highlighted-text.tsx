/** Shows a text, and highlights the beginnings of words that the user has searched for. */
export function HighlightedText({ text, query }: { text: string; query: string }) {
  const searchedWords = query.toLowerCase().match(WORDS);
  if (!searchedWords) return text;
  return text.split(/([\p{L}\p{N}]+)/u).map((part, index) => {
    const match = searchedWords.find((word) => part.toLowerCase().startsWith(word));
    if (match === undefined) return part;
    return (
      <span key={index}>
        <mark>{part.slice(0, match.length)}</mark>
        {part.slice(match.length)}
      </span>
    );
  });
}

const WORDS = /[\p{L}\p{N}]+/gu;
