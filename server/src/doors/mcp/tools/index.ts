import type { Tool } from '../tool.ts'
import { addObservationsTool } from './add-observations.ts'
import { createEntitiesTool } from './create-entities.ts'
import { createRelationsTool } from './create-relations.ts'
import { deleteEntitiesTool } from './delete-entities.ts'
import { deleteObservationsTool } from './delete-observations.ts'
import { deleteRelationsTool } from './delete-relations.ts'
import { exploreEntityTool } from './explore-entity.ts'
import { findDuplicatesTool } from './find-duplicates.ts'
import { findPathTool } from './find-path.ts'
import { listChangesTool } from './list-changes.ts'
import { listSpacesTool } from './list-spaces.ts'
import { mergeEntitiesTool } from './merge-entities.ts'
import { openConversationTool } from './open-conversation.ts'
import { openNodesTool } from './open-nodes.ts'
import { readGraphTool } from './read-graph.ts'
import { recallTool } from './recall.ts'
import { searchNodesTool } from './search-nodes.ts'
import { undoChangesTool } from './undo-changes.ts'
import { updateEntityTool } from './update-entity.ts'
import { updateObservationTool } from './update-observation.ts'
import { updateRelationTool } from './update-relation.ts'

/** In list order: the reference server's nine in its order, then our own. */
export const tools: readonly Tool[] = [
  createEntitiesTool,
  createRelationsTool,
  addObservationsTool,
  deleteEntitiesTool,
  deleteObservationsTool,
  deleteRelationsTool,
  readGraphTool,
  searchNodesTool,
  openNodesTool,
  recallTool,
  exploreEntityTool,
  findPathTool,
  updateEntityTool,
  updateObservationTool,
  updateRelationTool,
  findDuplicatesTool,
  mergeEntitiesTool,
  listChangesTool,
  undoChangesTool,
  listSpacesTool,
  openConversationTool,
]
