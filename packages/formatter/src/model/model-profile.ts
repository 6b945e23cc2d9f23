/** A media type that a provider accepts in one place. */
export interface MediaRule {
  /** A MIME type, or all types of a kind such as `audio/*`. */
  type: string
  /** Maximum base64 characters of one item. */
  maxLength: number
}

/** Limits for the media of a complete request: all results and all user messages together. */
interface RequestLimit {
  /** Maximum number of items. Default: no limit. */
  maxItems?: number
  /** Maximum base64 characters of all items. Default: no limit. */
  maxLength?: number
}

/** The names that a provider accepts. */
export interface NameRule {
  /** Allowed characters besides ASCII letters and digits, for example `_-`. */
  marks: string
  /** Whether the first character must be a letter or `_`. */
  startsWithLetter: boolean
  /** In characters. */
  maxLength: number
}

/** The property names that a provider accepts. */
export interface PropertyRule extends NameRule {
  /** Whether names below the root must follow the rule too. Default: only those of the root. */
  isDeep?: boolean
}

/** What a provider accepts, as data. Limits change, and a host may know newer ones than these tables. */
export interface ModelProfile {
  /** For example `anthropic`. */
  name: string
  /** Media in a tool's result. */
  inResults: readonly MediaRule[]
  /** Whether the result of a failed call may carry them too. Otherwise they follow the results. */
  inFailedResults: boolean
  /** Media of results that may follow all results of a turn, as a user message. */
  afterResults: readonly MediaRule[]
  /** Media that a person attaches. */
  inMessages: readonly MediaRule[]
  /** Maximum pixels of an image side. */
  maxImageSide?: number
  /** The same (`maxImageSide`) for a request with more images than `images`. */
  manyImages?: { images: number; maxImageSide: number }
  /** Limits for the media of one request. The oldest are omitted, with a note. Default: no limit. */
  inRequest?: RequestLimit
  toolNames: NameRule
  callIds: NameRule
  /** Names of properties of a tool's schema. */
  parameters: PropertyRule
  /** Whether an array schema without `items` fails the request. Then `items: {}` is added. Default: false. */
  needsItems?: boolean
  /** Maximum characters (UTF-16 code units) of a tool's description. */
  maxDescription?: number
  /** Replaces the reasoning signature of another model, if a provider refuses calls without one. */
  missingSignature?: string
}
