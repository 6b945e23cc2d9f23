/** Media of a type that a provider takes in one place. */
export interface MediaRule {
  /** A mime type, or all of a kind such as `audio/*`. */
  type: string
  /** Characters of base64 that one item may have. */
  maxLength: number
}

/** Media of a whole request: all results and all messages of the user together. */
export interface RequestLimit {
  /** Items. Default: no limit. */
  maxItems?: number
  /** Characters of base64 of all of them. Default: no limit. */
  maxLength?: number
}

/** Which names a provider takes. */
export interface NameRule {
  /** Characters beside letters and digits of ASCII, for example `_-`. */
  marks: string
  /** Whether the first character has to be a letter or `_`. */
  startsWithLetter: boolean
  /** In characters. */
  maxLength: number
}

/** Which names of properties a provider takes. */
export interface PropertyRule extends NameRule {
  /** Whether names below the root are held to it, too. Default: those of the root are. */
  isDeep?: boolean
}

/** What a provider takes, as data: limits move, and a host may know better than these tables. */
export interface ModelProfile {
  /** For example `anthropic`. */
  name: string
  /** Media that stand in a tool's result. */
  inResults: readonly MediaRule[]
  /** Whether the result of a failed call may carry them too; else they stand behind the results. */
  inFailedResults: boolean
  /** Media of results that may stand behind all results of a turn, as a message of the user. */
  behindResults: readonly MediaRule[]
  /** Media that a person attaches. */
  inMessages: readonly MediaRule[]
  /** Pixels that a side of an image may have. */
  maxImageSide?: number
  /** The same (`maxImageSide`) for a request with more images than `images`. */
  manyImages?: { images: number; maxImageSide: number }
  /** How much media one request may hold. The oldest are left out with a line. Default: no limit. */
  inRequest?: RequestLimit
  toolNames: NameRule
  callIds: NameRule
  /** Names of properties of a tool's schema. */
  parameters: PropertyRule
  /** Whether a schema of an array without `items` fails the request; then `items: {}` is added. Default: it does not. */
  needsItems?: boolean
  /** Characters (UTF-16 code units) of a tool's description. */
  maxDescription?: number
  /** Stands for the signature of a thought that another model had, where a provider refuses calls without one. */
  missingSignature?: string
}
