/** A placeholder in the shape of a company, shown from the first frame on. */
export function Skeleton({ label }: { label: string }) {
  return (
    <div>
      <p className="sr-only">{label}</p>
      <div aria-hidden="true">
        <div className="border-b border-line px-4 pb-3">
          <div className="bone h-5.5 w-3/5" />
          <div className="mt-0.5 flex h-7 items-center gap-1.5">
            <div className="bone h-4 w-20" />
            <div className="bone h-5 w-24" />
            <div className="bone h-5 w-14" />
          </div>
        </div>
        <div className="flex flex-col gap-4 px-4 pt-3 pb-4">
          <div className="flex h-24 flex-col justify-between rounded-lg border border-line px-3 py-2.5">
            <div className="bone h-3 w-12" />
            <div className="flex justify-between">
              <div className="bone h-4.5 w-1/2" />
              <div className="bone h-4.5 w-20" />
            </div>
            <div className="bone h-1 w-full" />
            <div className="bone h-3 w-3/4" />
          </div>
          <Bones widths={['w-1/3', 'w-3/4', 'w-2/3']} />
          <Bones widths={['w-2/3', 'w-4/5', 'w-1/2']} />
        </div>
        <div className="flex h-21 flex-col justify-between border-t border-line bg-sunken px-4 py-3">
          <div className="bone h-3 w-2/5" />
          <div className="bone h-8 w-full" />
        </div>
      </div>
    </div>
  );
}

function Bones({ widths }: { widths: readonly string[] }) {
  return (
    <div>
      <div className="bone mb-2 h-3 w-28" />
      <div className="grid grid-cols-[30%_minmax(0,1fr)] gap-x-3 gap-y-2.5">
        {widths.map((width) => (
          <div key={width} className="contents">
            <div className="bone h-3.5 w-16" />
            <div className={`bone h-3.5 ${width}`} />
          </div>
        ))}
      </div>
    </div>
  );
}
