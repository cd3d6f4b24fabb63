import { mkdirSync } from 'node:fs'
import { recordingsOfProcesses } from './folders.ts'

// Set only now: processes and threads that a test starts inherit it; the test's own process, which Vitest
// measures, has started without it.
mkdirSync(recordingsOfProcesses, { recursive: true })
process.env.NODE_V8_COVERAGE = recordingsOfProcesses
