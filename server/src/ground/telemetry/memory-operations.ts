/**
 * Values of `gen_ai.operation.name` for memory
 * (https://github.com/open-telemetry/semantic-conventions-genai, docs/gen-ai/gen-ai-spans.md, Memory). Writing tools
 * leave alone what exists or change it, so those that may do either upsert.
 */
const operations: Readonly<Record<string, string>> = {
  create_entities: 'upsert_memory',
  create_relations: 'upsert_memory',
  add_observations: 'create_memory',
  update_entity: 'update_memory',
  update_observation: 'update_memory',
  update_relation: 'update_memory',
  merge_entities: 'update_memory',
  undo_changes: 'update_memory',
  delete_entities: 'delete_memory',
  delete_observations: 'delete_memory',
  delete_relations: 'delete_memory',
  list_spaces: 'execute_tool',
}

/** Every other tool reads. */
export const memoryOperation = (tool: string): { 'gen_ai.operation.name': string } => ({
  'gen_ai.operation.name': operations[tool] ?? 'search_memory',
})
