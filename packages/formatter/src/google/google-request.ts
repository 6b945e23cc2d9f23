import type { JsonObject } from '@toolblocks/protocol'
import type { RequestChange } from '../turns/request-change.ts'
import type { ToolNames } from '../tools/tool-names.ts'

/** What `generateContent` of Gemini takes, instructions and tools in its `config`; its own types are met, not named. */
export interface GoogleRequest {
  contents: GoogleContent[]
  config: {
    systemInstruction?: string
    tools?: { functionDeclarations: GoogleFunction[] }[]
    /** The mode is `ANY`. In Google's own types it is a member of an enum, to which no text can be assigned. */
    toolConfig?: { functionCallingConfig: { mode: never } }
  }
  /** Reads the names that the model answers with. */
  names: ToolNames
  /** What is written otherwise than it was given. */
  changes: readonly RequestChange[]
}

/** One side's turn. */
export interface GoogleContent {
  role: 'user' | 'model'
  parts: GooglePart[]
}

/** A part; one of these fields, and what came with it. */
export interface GooglePart {
  text?: string
  inlineData?: GoogleBytes
  functionCall?: { id?: string; name: string; args: Record<string, unknown> }
  functionResponse?: GoogleResponse
  thought?: boolean
  thoughtSignature?: string
}

export interface GoogleBytes {
  mimeType: string
  data: string
}

export interface GoogleResponse {
  id?: string
  name: string
  response: { output: string } | { error: string }
  parts?: { inlineData: GoogleBytes }[]
}

/** A tool as the model is told of it. */
export interface GoogleFunction {
  name: string
  description?: string
  parametersJsonSchema: JsonObject
}
