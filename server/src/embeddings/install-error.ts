/** Why a local model cannot be had, in words for the person who wants it. */
export class InstallError extends Error {
  override name = 'InstallError'
}

/** True where an error, or what caused it, is a full disk. */
export function isDiskFull(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown }
  return code === 'ENOSPC' || code === 'EDQUOT' || (cause !== undefined && isDiskFull(cause))
}
