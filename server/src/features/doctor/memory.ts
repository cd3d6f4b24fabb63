import { importedBytesMax, memoryLimit } from '../../ground/memory-limit.ts'
import { type Finding, inBytes, ok, warning } from './finding.ts'

/** The limit of this process, which is that of the server if both are in one container. */
export function examineMemory(): Finding {
  const megabytes = memoryLimit()
  if (megabytes === undefined) return ok('memory', 'The system sets no limit.')
  const bytesMax = importedBytesMax()
  const says = `This process may use ${megabytes} MB`
  if (bytesMax === undefined) return ok('memory', `${says}.`)
  return warning(
    'memory',
    `${says}, so files of more than ${inBytes(bytesMax)} are not imported.`,
    'Raise the limit of the container or the unit to 512 MB if you import larger ones.',
  )
}
