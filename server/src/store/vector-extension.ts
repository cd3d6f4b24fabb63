/**
 * The path of the vector extension, or undefined if it is not installed or not built for this system: it is an
 * optional dependency.
 */
export async function findVectorExtension(): Promise<string | undefined> {
  try {
    return (await import('sqlite-vec')).getLoadablePath()
  } catch {
    return undefined
  }
}
