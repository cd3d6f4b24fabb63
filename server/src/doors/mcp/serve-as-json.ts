import {
  type McpHttpHandler,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'

/**
 * Serves one request of an older protocol with a plain JSON response, for a client that does not accept
 * streams; the SDK's own handler responds with a stream.
 */
export async function serveAsJson(
  server: Server,
  ...[request, options]: Parameters<McpHttpHandler['fetch']>
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, options)
  } finally {
    await server.close()
  }
}
