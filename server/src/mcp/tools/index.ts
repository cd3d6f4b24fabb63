import type { Tool } from '../tool.ts'
import { addObservations } from './add-observations.ts'
import { createEntities } from './create-entities.ts'
import { createRelations } from './create-relations.ts'
import { deleteEntities } from './delete-entities.ts'
import { deleteObservations } from './delete-observations.ts'
import { deleteRelations } from './delete-relations.ts'
import { exploreEntity } from './explore-entity.ts'
import { findDuplicates } from './find-duplicates.ts'
import { findPath } from './find-path.ts'
import { listChanges } from './list-changes.ts'
import { listSpaces } from './list-spaces.ts'
import { mergeEntities } from './merge-entities.ts'
import { openNodes } from './open-nodes.ts'
import { readGraph } from './read-graph.ts'
import { recall } from './recall.ts'
import { searchNodes } from './search-nodes.ts'
import { undoChanges } from './undo-changes.ts'
import { updateEntity } from './update-entity.ts'
import { updateObservation } from './update-observation.ts'
import { updateRelation } from './update-relation.ts'

/** In list order: the reference server's nine in its order, then our own. */
export const tools: readonly Tool[] = [
  createEntities,
  createRelations,
  addObservations,
  deleteEntities,
  deleteObservations,
  deleteRelations,
  readGraph,
  searchNodes,
  openNodes,
  recall,
  exploreEntity,
  findPath,
  updateEntity,
  updateObservation,
  updateRelation,
  findDuplicates,
  mergeEntities,
  listChanges,
  undoChanges,
  listSpaces,
]
