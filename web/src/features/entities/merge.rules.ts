import type { Entity, EntityWithObservations } from '@loci/contract/entities'

type Merged = Pick<EntityWithObservations, 'name' | 'observations'> & Pick<Entity, 'aliases'>

/** What is left of two entities once `source` has gone into `target`. */
export function previewMerge(source: Merged, target: Merged) {
  const texts = new Set(target.observations.map(({ content }) => content))
  // What has metadata says more than its text does.
  const twins = source.observations.filter(({ content, metadata }) => !metadata && texts.has(content)).length
  const aliases = [...(target.aliases ?? []), source.name, ...(source.aliases ?? [])]
  return {
    observations: source.observations.length + target.observations.length - twins,
    twins,
    aliases: [...new Set(aliases)],
  }
}
