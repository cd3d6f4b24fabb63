// Hook of agents that cannot call an MCP tool at a prompt: asks the Loci that runs on this machine, usually the one that
// the agent itself has started, what is known of what the prompt names. Without one it is silent, since starting one
// would keep the person waiting.
import { asOutput, given, readInput } from './agents.mjs'
import { ask } from './socket.mjs'

const patienceMs = 3_000

const agent = process.argv[2]
try {
  const input = await readInput()
  const { session, folder, prompt } = given(input)
  const { context } = (await ask({ prompt, session, folder, agent }, patienceMs)) ?? {}
  if (context)
    console.log(JSON.stringify(asOutput(agent, input.hook_event_name ?? 'UserPromptSubmit', context)))
} catch (error) {
  console.error(`Loci could not recall: ${error.message}`)
}
// At once, whatever is still open.
process.stdout.write('', () => process.exit(0))
