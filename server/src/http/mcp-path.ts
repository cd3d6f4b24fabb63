/** Where MCP is served over HTTP. */
export const mcpPath = '/mcp'
