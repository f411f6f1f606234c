/** A placeholder of lines in these widths and heights, while something is on its way. */
export function Bones({ label, lines }: { label: string; lines: readonly string[] }) {
  return (
    <>
      <p className="sr-only">{label}</p>
      <div aria-hidden="true" className="flex flex-col gap-2.5">
        {lines.map((line) => (
          <div key={line} className={`bone ${line}`} />
        ))}
      </div>
    </>
  );
}
