import type { GraphEvent } from '@loci/contract/realtime'

/** One line of news about a change made elsewhere. */
export type Note = { id: string; text: string; entityId?: string }

/**
 * Describes an event to a person. For several observations of one entity it quotes the last; `nameOf`
 * supplies the entity's name.
 */
export function noteOf(event: GraphEvent, nameOf: (entityId: string) => string | undefined): Note {
  const { id } = event
  switch (event.type) {
    case 'entity_created':
      return { id, text: `Entity created: ${event.payload.name}`, entityId: event.payload.id }
    case 'entity_updated':
      return { id, text: `Entity updated: ${event.payload.name}`, entityId: event.payload.id }
    case 'entity_deleted':
      return { id, text: `Entity deleted: ${event.payload.name || event.payload.entityId}` }
    case 'relation_created':
      return {
        id,
        text: `Relation created: ${event.payload.relationType}`,
        entityId: event.payload.fromEntityId,
      }
    case 'relation_deleted':
      return { id, text: `Relation deleted: ${event.payload.relationId}` }
    case 'relation_updated':
      return {
        id,
        text: `Relation updated: ${event.payload.relationType}`,
        entityId: event.payload.fromEntityId,
      }
    case 'observation_added': {
      const { entityId } = event.payload
      const name = nameOf(entityId)
      return {
        id: `observations of ${entityId}`,
        text: name === undefined ? 'Observation added' : `Observation added: ${name}`,
        entityId,
      }
    }
  }
}
