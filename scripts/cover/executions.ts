/** What one process executed of one script: https://chromedevtools.github.io/devtools-protocol/tot/Profiler */
export type ScriptRecording = {
  url: string
  functions: { ranges: Range[] }[]
}
type Range = { startOffset: number; endOffset: number; count: number }

/** How often the code at an offset was executed. */
export type Executions = (offset: number) => number

/** Ranges are nested; the innermost one counts. */
export function executionsOf({ functions }: Pick<ScriptRecording, 'functions'>): Executions {
  const ranges = functions.flatMap((called) => called.ranges).sort(outerFirst)
  return (offset) =>
    ranges.findLast(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset)?.count ?? 0
}

function outerFirst(one: Range, other: Range): number {
  return one.startOffset - other.startOffset || other.endOffset - one.endOffset
}
