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
      return noteOfUpdate(event)
    case 'entity_deleted':
      return { id, text: textOfDeletion(event.payload) }
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
        id: idOfObservations(entityId),
        text: name === undefined ? 'Observation added' : `Observation added: ${name}`,
        entityId,
      }
    }
  }
}

type Payload<Type extends GraphEvent['type']> = Extract<GraphEvent, { type: Type }>['payload']

const idOfObservations = (entityId: string) => `observations of ${entityId}`

function noteOfUpdate({ id, payload }: { id: string; payload: Payload<'entity_updated'> }): Note {
  const { name, id: entityId, observationsUpdated = [], observationsDeleted = [] } = payload
  const count = observationsUpdated.length + observationsDeleted.length
  if (count === 0) return { id, text: `Entity updated: ${name}`, entityId }
  const subject = count === 1 ? 'Observation' : 'Observations'
  const verb = observationsUpdated.length === 0 ? 'deleted' : 'updated'
  return { id: idOfObservations(entityId), text: `${subject} ${verb}: ${name}`, entityId }
}

/** An erased entity has no name. */
function textOfDeletion({ name, merged }: Payload<'entity_deleted'>): string {
  if (name === '') return 'Entity erased'
  return `Entity ${merged ? 'merged' : 'deleted'}: ${name}`
}
