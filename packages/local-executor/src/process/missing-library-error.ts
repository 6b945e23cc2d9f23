/** Thrown when an optional peer is needed here and is not installed. */
export class MissingLibraryError extends Error {
  readonly code = 'missing-library'
  /** The name of its npm package. */
  readonly library: string

  constructor(library: string, why: string, options?: ErrorOptions) {
    super(`${why}, and it is not installed: npm install ${library}`, options)
    this.name = 'MissingLibraryError'
    this.library = library
  }
}
