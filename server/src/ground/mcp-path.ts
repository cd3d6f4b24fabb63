/** Where MCP is served over HTTP. */
export const mcpPath = '/mcp'
export const spacePathPrefix = `${mcpPath}/spaces/`
