import type { OutputOptions } from 'rolldown'

export function startChunk(main: string, threads?: readonly string[]): OutputOptions['codeSplitting']
