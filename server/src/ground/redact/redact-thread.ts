import { parentPort } from 'node:worker_threads'
import { redactSecrets } from './redact-secrets.ts'

const port = parentPort!

port.on('message', (texts: readonly string[]) => port.postMessage(texts.map(redactSecrets)))
