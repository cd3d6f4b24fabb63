import { publicUrl } from './public-url.ts'
import { Snippet } from './snippet.tsx'

const claudeCode = `claude mcp add -s user --transport http loci ${publicUrl}/mcp \\
  --header "Authorization: Bearer YOUR_API_KEY"`

const anyClient = `{
  "mcpServers": {
    "loci": {
      "type": "http",
      "url": "${publicUrl}/mcp",
      "headers": { "Authorization": "Bearer YOUR_API_KEY" }
    }
  }
}`

export function Steps() {
  return (
    <section id="how-it-works" className="section how" aria-labelledby="how-title">
      <h2 id="how-title">
        Three steps, <span>then it remembers.</span>
      </h2>
      <ol className="steps">
        <li>
          <h3>Create an account</h3>
          <p>You need no card. Your personal API key is there from the first minute.</p>
        </li>
        <li>
          <h3>Connect your agent</h3>
          <p>One line for Claude Code, a few lines of configuration for any other MCP client.</p>
          <Snippet label="Claude Code" text={claudeCode} />
          <details>
            <summary>Another client</summary>
            <Snippet label="Configuration of an MCP client" text={anyClient} />
          </details>
        </li>
        <li>
          <h3>Tell it something worth keeping</h3>
          <p>
            “Remember that we deploy from release.” Watch it appear in your graph, and ask about it next week,
            from another agent if you like.
          </p>
        </li>
      </ol>
    </section>
  )
}
