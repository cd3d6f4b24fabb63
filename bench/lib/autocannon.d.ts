/** The part of https://github.com/mcollina/autocannon that we use. */
declare module 'autocannon' {
  type Request = { method?: string; path?: string; headers?: Record<string, string>; body?: string }
  type Options = {
    url: string
    connections: number
    /** Seconds, unless `amount` says how many requests to send. */
    duration?: number
    amount?: number
    requests: (Request & { setupRequest?: (request: Request) => Request })[]
  }
  type Result = {
    requests: { average: number; total: number }
    duration: number
    errors: number
    non2xx: number
  }
  export default function autocannon(options: Options): Promise<Result>
}
