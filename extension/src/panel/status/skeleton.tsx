/** A placeholder in the shape of a company, shown from the first frame on. */
export function Skeleton({ label }: { label: string }) {
  return (
    <div>
      <p className="sr-only">{label}</p>
      <div aria-hidden="true">
        <div className="flex flex-col gap-2 px-4 pt-4 pb-3">
          <div className="bone h-5 w-3/5" />
          <div className="bone h-4 w-4/5" />
        </div>
        <div className="facts">
          {['w-1/2', 'w-2/3', 'w-3/5', 'w-1/3'].map((width) => (
            <div key={width} className="px-4 py-2.5">
              <div className="bone mb-2 h-3 w-12" />
              <div className={`bone h-4 ${width}`} />
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

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
