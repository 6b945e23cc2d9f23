/** The keys of a terminal: `process.stdin`, or an object with these members of it. */
export interface TerminalInput {
  /** Nobody is asked where it is not `true`. */
  readonly isTTY?: boolean | undefined
  /** `true` after the stream was closed. */
  readonly destroyed: boolean
  /** `true` after the last byte was read. */
  readonly readableEnded: boolean
  /** `true`: each key is delivered at once and is not echoed. */
  setRawMode(mode: boolean): unknown
  /** Starts to deliver what is typed. */
  resume(): unknown
  /** Stops to deliver what is typed. */
  pause(): unknown
  /** Adds a listener; `data` is what was typed, in UTF-8. */
  on(event: KeyStreamEvent, listener: (data: Uint8Array | string) => void): unknown
  /** Removes a listener. */
  off(event: KeyStreamEvent, listener: (data: Uint8Array | string) => void): unknown
}

/** What a stream of keys tells: what was typed, or that nothing more will be. */
type KeyStreamEvent = 'data' | 'end' | 'close' | 'error'

/** The screen of a terminal: `process.stdout`, or an object with these members of it. */
export interface TerminalOutput {
  /** Nobody is asked where it is not `true`. */
  readonly isTTY?: boolean | undefined
  /** Characters in a line. Default, also for 0: 80. */
  readonly columns?: number | undefined
  /** Lines of the screen. Default, also for 0: 24. */
  readonly rows?: number | undefined
  /** Writes text and escape sequences. */
  write(text: string): unknown
  /** Adds a listener to a change of `columns` or `rows`. */
  on(event: 'resize', listener: () => void): unknown
  /** Removes a listener. */
  off(event: 'resize', listener: () => void): unknown
}
