import { parentPort, workerData } from 'node:worker_threads'
import { AppError } from '../../ground/errors/app-error.ts'
import { type Conversion, type ConversionOrder, convert } from './convert.ts'

/** The outcome. A refusal is sent as its parts, since an `Error` would lose them. */
export type ConversionOutcome =
  | { conversion: Conversion }
  | { refusal: { code: AppError['code']; message: string } }

const port = parentPort!
try {
  port.postMessage({ conversion: await convert(workerData as ConversionOrder) } satisfies ConversionOutcome)
} catch (error) {
  if (!(error instanceof AppError)) throw error
  const { code, message } = error
  port.postMessage({ refusal: { code, message } } satisfies ConversionOutcome)
}
port.close()
