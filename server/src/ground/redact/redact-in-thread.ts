import { Worker } from 'node:worker_threads'
import { sharedThread } from '../lib/shared-thread.ts'
import { type Redacted, redactSecrets } from './redact-secrets.ts'

/** Below this, sending texts to a thread takes longer than reading them here. */
const charactersMin = 8_000

/** `redactSecrets` of each text; of many in a thread that all callers share. */
export async function redactAll(texts: readonly string[]): Promise<Redacted[]> {
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  return length < charactersMin ? texts.map(redactSecrets) : redactInThread(texts)
}

const redactInThread = sharedThread<readonly string[], Redacted[]>(
  () => new Worker(new URL('./redact-thread.ts', import.meta.url)),
  'The thread that removes secrets has ended',
)
