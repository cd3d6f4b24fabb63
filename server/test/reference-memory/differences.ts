/**
 * Our intended differences from the reference memory server, in the words of the table in docs/mcp.md. At least one
 * scenario shows each of them; the scenarios show no others.
 */
export const differences = {
  duplicates: 'the same entity, relation or observation twice in a call | stores both | stores the first',
  skipped:
    'an entity that exists | omitted silently | listed in `skipped`; `notice` and a second text say what to do',
  similar: 'a new name similar to an existing one | nothing | created; `similar` lists the names',
  missingEnds: 'a relation with a missing end | stored | refused as a whole, with all missing ends',
  honestDeletes:
    'a delete that did not find everything | reports success | what was deleted, not found and similar; `success` is false if nothing was.',
  nextStep: 'an entity that does not exist | an error | the same, then similar names and what to do',
  limits: 'empty or overlong names, types, observations | stored | refused',
  badArguments:
    "a bad argument | `MCP error` before the message | the place first, as in the reference's next version",
  lenient:
    'arguments as models write them: JSON, numbers and booleans as text, one item for a list, null, other names for required ones | refused | accepted',
  unknownTool:
    'an unknown tool | a result with `isError` | a protocol error (-32602), as the protocol requires',
  words: '`search_nodes` | the whole query as one substring, all matches | any of the words in any form',
  resourceNotFound:
    'a resource that does not exist | an error | `Resource not found: ...`, with the address in its data',
  unknownNames:
    '`open_nodes` with unknown names | omitted silently | `notice` and a second text name them, and similar ones',
  tenBest: 'the 10 best, or up to 50 with `limit`, and says when there are more',
  longAnswers:
    'a long answer | all at once, indented | at most 45,000 characters, indented up to 2,000; `notice`, then also the first text, says what was left out.',
  longWrites: 'a write of more than 20 items or 4,000 characters | repeated in full | counts and names',
  updates: 'resource updates | after every write | only when something changed',
} as const

/** Differences of our `tools/list`, as `tool/path`; `*` stands for all tools. */
export const listingDifferences = [
  // Schemas are JSON Schema 2020-12, the protocol's dialect since 2025-11-25 where none is named.
  '*/inputSchema/$schema',
  '*/outputSchema/$schema',
  // Tasks have become an extension, so there is nothing to forbid.
  '*/execution',
  // Hints for specific clients: which tools to load at once, how to find the others, how long a result may
  // be.
  '*/_meta',
  // Descriptions tell the model when and how to use a tool.
  'create_entities/description',
  'create_relations/description',
  'add_observations/description',
  'delete_entities/description',
  'delete_observations/description',
  'delete_observations/inputSchema/properties/deletions/items/properties/observations/description',
  'read_graph/description',
  'search_nodes/description',
  'open_nodes/description',
  // Optional fields report skipped or omitted items, which the published schema allows.
  'create_entities/outputSchema/properties/skipped',
  'create_entities/outputSchema/properties/similar',
  'create_entities/outputSchema/properties/rivals',
  'create_entities/outputSchema/properties/notice',
  'create_relations/outputSchema/properties/notice',
  'add_observations/outputSchema/properties/notice',
  'add_observations/outputSchema/properties/rivals',
  'read_graph/outputSchema/properties/notice',
  'search_nodes/outputSchema/properties/notice',
  'open_nodes/outputSchema/properties/notice',
  // Long results come in parts.
  'read_graph/inputSchema/properties/after',
  'search_nodes/inputSchema/properties/limit',
  'open_nodes/inputSchema/properties/limit',
  'open_nodes/inputSchema/properties/after',
  // The past, and where facts are from.
  'read_graph/inputSchema/properties/asOf',
  'open_nodes/inputSchema/properties/asOf',
  'open_nodes/inputSchema/properties/with',
  'open_nodes/outputSchema/properties/sources',
]
