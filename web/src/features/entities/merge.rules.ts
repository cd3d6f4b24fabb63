import type { Entity, EntityWithObservations } from '@loci/contract/entities'

type Merged = Pick<EntityWithObservations, 'name' | 'observations'> & Pick<Entity, 'aliases'>

/** Previews the result of merging `source` into `target`. */
export function previewMerge(source: Merged, target: Merged) {
  const texts = new Set(target.observations.map(({ content }) => content))
  // An observation with metadata carries more than its text, so it is no duplicate.
  const twins = source.observations.filter(({ content, metadata }) => !metadata && texts.has(content)).length
  const aliases = [...(target.aliases ?? []), source.name, ...(source.aliases ?? [])]
  return {
    observations: source.observations.length + target.observations.length - twins,
    twins,
    aliases: [...new Set(aliases)],
  }
}
