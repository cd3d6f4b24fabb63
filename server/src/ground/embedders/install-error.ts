/** Why a local model cannot be installed, worded for the person who wants it. */
export class InstallError extends Error {
  override name = 'InstallError'
}

/** Whether an error, or its cause, is a full disk. */
export function isDiskFull(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown }
  return code === 'ENOSPC' || code === 'EDQUOT' || (cause !== undefined && isDiskFull(cause))
}
