/** The whole graph, under the reference server's URI. */
export const graphUri = 'memory://knowledge-graph'
export const entityUriPrefix = 'memory://entities/'

/** The URI of an entity's resource. */
export function entityUri(name: string): string {
  return `${entityUriPrefix}${encodeURIComponent(name)}`
}
