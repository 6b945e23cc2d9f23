/** Thrown when a service shall be served where others could use it. */
export class ServeError extends Error {
  readonly code = 'token-required'

  constructor(host: string) {
    super(`Serving at ${host} lets others call the tools: give a token, or serve at 127.0.0.1.`)
    this.name = 'ServeError'
  }
}
