const json = /(^|[,\s])(application\/json|application\/\*|\*\/\*)/i
const stream = 'text/event-stream'

/** The `Accept` that the SDK requires of clients in the older protocols. */
export const bothKinds = `application/json, ${stream}`

/** Whether a client accepts a plain JSON response. Without an `Accept` header it accepts anything. */
export function takesJson(accept: string | undefined): boolean {
  return accept === undefined || accept === '' || json.test(accept)
}

/** Whether a client accepts both kinds of response, as the older protocols require. */
export function takesBothKinds(accept = ''): boolean {
  return accept.includes('application/json') && accept.includes(stream)
}
