import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')
/** Where Vitest writes what the tests' own processes executed. */
export const report = join(root, '.cache/coverage')
/** Where Node writes what the processes and threads started by tests executed. */
export const recordingsOfProcesses = join(root, '.cache/coverage-of-processes')
