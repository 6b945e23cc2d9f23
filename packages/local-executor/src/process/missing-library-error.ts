/** Thrown when an optional peer dependency is needed and not installed. */
export class MissingLibraryError extends Error {
  readonly code = 'missing-library'
  /** The name of its npm package. */
  readonly library: string

  constructor(library: string, use: string, options?: ErrorOptions) {
    super(
      `@toolblocks/local-executor needs ${library} ${use}, an optional peer: npm install ${library}`,
      options,
    )
    this.name = 'MissingLibraryError'
    this.library = library
  }
}
