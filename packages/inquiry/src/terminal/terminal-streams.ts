/** The keyboard of a terminal: `process.stdin`, or an object with these members. */
export interface TerminalInput {
  /** Unless it is `true`, no question is asked. */
  readonly isTTY?: boolean | undefined
  /** Whether the stream was closed. */
  readonly destroyed: boolean
  /** Whether the last byte was read. */
  readonly readableEnded: boolean
  /** `true`: each key is delivered at once and is not echoed. */
  setRawMode(mode: boolean): unknown
  /** Starts to deliver input. */
  resume(): unknown
  /** Stops delivering input. */
  pause(): unknown
  /** Adds a listener. `data` is the typed text in UTF-8. */
  on(event: KeyStreamEvent, listener: (data: Uint8Array | string) => void): unknown
  /** Removes a listener. */
  off(event: KeyStreamEvent, listener: (data: Uint8Array | string) => void): unknown
}

/** The events of a keyboard: typed text, or the end of the input. */
type KeyStreamEvent = 'data' | 'end' | 'close' | 'error'

/** The screen of a terminal: `process.stdout`, or an object with these members. */
export interface TerminalOutput {
  /** Unless it is `true`, no question is asked. */
  readonly isTTY?: boolean | undefined
  /** Characters in a line. Default, also for 0: 80. */
  readonly columns?: number | undefined
  /** Lines of the screen. Default, also for 0: 24. */
  readonly rows?: number | undefined
  /** Writes text and escape sequences. */
  write(text: string): unknown
  /** Adds a listener for changes of `columns` or `rows`. */
  on(event: 'resize', listener: () => void): unknown
  /** Removes a listener. */
  off(event: 'resize', listener: () => void): unknown
}
