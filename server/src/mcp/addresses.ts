/** The whole graph, under the address that the reference server gives it. */
export const graphUri = 'memory://knowledge-graph'
export const entityUriPrefix = 'memory://entities/'

/** The address of an entity's resource. */
export function entityUri(name: string): string {
  return `${entityUriPrefix}${encodeURIComponent(name)}`
}
