/**
 * Our intended differences from the reference memory server, in the words of docs/mcp.md. At least one
 * scenario shows each of them; the scenarios show no others.
 */
export const differences = {
  duplicates:
    'Of two entities, relations or observations in one call that are the same, the first is stored. The reference stores both.',
  skipped:
    'Entities that already exist are reported: `skipped` lists their names, and `notice` and a second text say what to do. The reference omits them silently.',
  similar:
    'A new entity whose name is similar to an existing one is created and reported: `similar` lists the names, and `notice` and a second text say what to do. The reference says nothing.',
  missingEnds:
    'A relation to or from an entity that does not exist is refused, and nothing of the call is stored. The reference stores relations that lead nowhere.',
  honestDeletes:
    'A delete that did not find everything says how much it deleted, what it did not find and what is similar; `success` is false if it deleted nothing. The reference always reports success.',
  nextStep:
    'The error about an entity that does not exist begins like that of the reference and adds similar names and what to do.',
  limits:
    'Names, types and observations must not be empty or longer than the limits above. The reference stores anything.',
  badArguments:
    'The message about a bad argument names the place first and has no `MCP error` before it, as in the next version of the reference.',
  lenient:
    'Arguments are also taken as models write them: a list or an object as JSON text, one item for a list of one, numbers and booleans as text, null for optional arguments. The reference refuses these.',
  unknownTool:
    'A tool that does not exist is a protocol error (-32602), as the protocol requires. The reference answers a result with `isError`.',
  words:
    '`search_nodes` looks for words: any of them, in any order and form, the best matches first. The reference looks for the whole query as one string.',
  resourceNotFound:
    'The error for a resource that does not exist says `Resource not found: ...` and carries the address in its data.',
  unknownNames:
    '`open_nodes` says in `notice` and a second text which names it did not find, and which are similar. The reference omits them silently.',
  tenBest:
    '`search_nodes` answers the 10 best matches, or up to 50 with `limit`, and says when there are more. The reference answers all.',
  longAnswers:
    'An answer has at most 45,000 characters, as JSON and as text, and JSON of more than 2,000 characters is not indented. `notice`, which is then also the first text, says what was left out and how to continue. The reference answers everything at once, always indented.',
  longWrites:
    'A write of more than 20 items or 4,000 characters answers with counts and names: `notice` and a second text say how much was stored, and texts are left out. The reference repeats all that was written.',
  updates:
    'Resource updates are sent only when something changed. The reference sends one after every write, even if it changed nothing.',
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
]
