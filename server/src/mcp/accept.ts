const json = /(^|[,\s])(application\/json|application\/\*|\*\/\*)/i
const stream = 'text/event-stream'

/** What a client has to accept for the SDK to serve it in the older protocols. */
export const bothKinds = `application/json, ${stream}`

/** Whether a client takes a plain JSON answer. One that does not say takes anything. */
export function takesJson(accept: string | undefined): boolean {
  return accept === undefined || accept === '' || json.test(accept)
}

/** Whether a client takes an answer of either kind, as the older protocols ask clients to. */
export function takesBothKinds(accept = ''): boolean {
  return accept.includes('application/json') && accept.includes(stream)
}
