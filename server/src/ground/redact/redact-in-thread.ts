import { Worker } from 'node:worker_threads'
import { sharedThread } from '../lib/shared-thread.ts'
import type { Redacted } from './redact-secrets.ts'

/** `redactSecrets` of each text, in a thread that all callers share. */
export const redactInThread = sharedThread<readonly string[], Redacted[]>(
  () => new Worker(new URL('./redact-thread.ts', import.meta.url)),
  'The thread that removes secrets has ended',
)
