/** Why a local model cannot be installed, worded for the person who wants it. */
export class InstallError extends Error {
  override name = 'InstallError'
}

/** The hub cannot be reached. Another model, which needs no hub, may be installed. */
export class UnreachableHubError extends InstallError {
  override name = 'UnreachableHubError'
}

/** Whether an error, or its cause, is a full disk. */
export function isDiskFull(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown }
  return code === 'ENOSPC' || code === 'EDQUOT' || (cause !== undefined && isDiskFull(cause))
}
