/** Some tens of kilobytes. */
const atOnce = 200;

/** Prints lines, however many, a few hundred at once: each of a million by itself would leave a buffer behind. */
export function printLines(write: (text: string) => void): { print(line: string): void; end(): void } {
  let lines: string[] = [];
  const end = () => {
    if (lines.length > 0) write(`${lines.join('\n')}\n`);
    lines = [];
  };
  return {
    print(line) {
      lines.push(line);
      if (lines.length >= atOnce) end();
    },
    end,
  };
}
