import type { MediaRule, ModelProfile } from './model-profile.ts'

/** Fits every provider known here. */
const NAMES = { marks: '_-', startsWithLetter: true, maxLength: 64 }
const PARAMETERS = { marks: '_', startsWithLetter: true, maxLength: 64 }
const IDS = { marks: '_-', startsWithLetter: false, maxLength: 64 }
const RULES = { toolNames: NAMES, callIds: IDS, parameters: PARAMETERS }

function each(types: readonly string[], maxLength: number): readonly MediaRule[] {
  return types.map((type) => ({ type, maxLength }))
}

const WEB_IMAGES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']
const PDF = 'application/pdf'
const MEBI = 2 ** 20

const ANTHROPIC = [...each(WEB_IMAGES, 5 * MEBI), ...each([PDF], 24 * MEBI)]

/** Anthropic's Messages. */
export const anthropicProfile: ModelProfile = {
  ...RULES,
  name: 'anthropic',
  inResults: ANTHROPIC,
  inFailedResults: false,
  behindResults: ANTHROPIC,
  inMessages: ANTHROPIC,
  maxImageSide: 8000,
  manyImages: { images: 20, maxImageSide: 2000 },
  parameters: { marks: '_.-', startsWithLetter: false, maxLength: 64 },
}

/** One string has at most 10 MiB there, which the media type in front of the data is a part of. */
const OPENAI_STRING = 10 * MEBI - 100
const OPENAI_IN_TOOLS = each([...WEB_IMAGES, PDF], OPENAI_STRING)

/** OpenAI's Responses. */
export const openaiResponsesProfile: ModelProfile = {
  ...RULES,
  name: 'openai-responses',
  inResults: OPENAI_IN_TOOLS,
  inFailedResults: true,
  behindResults: OPENAI_IN_TOOLS,
  inMessages: OPENAI_IN_TOOLS,
  maxDescription: 1024,
}

const OPENAI_IN_CHAT = each(
  [...WEB_IMAGES, PDF, 'audio/wav', 'audio/mpeg', 'audio/mp3'],
  OPENAI_STRING,
)

/** OpenAI's Chat Completions: a tool's message is text. */
export const openaiChatProfile: ModelProfile = {
  ...RULES,
  name: 'openai-chat',
  inResults: [],
  inFailedResults: false,
  behindResults: OPENAI_IN_CHAT.filter(({ type }) => !type.startsWith('audio/')),
  inMessages: OPENAI_IN_CHAT,
  maxDescription: 1024,
}

/** Servers of the same protocol, many of whose models read text only: of a tool's media they are told. */
export const openaiCompatibleProfile: ModelProfile = {
  ...openaiChatProfile,
  name: 'openai-compatible',
  behindResults: [],
  inMessages: each(WEB_IMAGES, OPENAI_STRING),
}

const GOOGLE = each(
  ['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif', 'audio/*', 'video/*', PDF],
  18 * MEBI,
)

/** Gemini from its third generation on. */
export const googleProfile: ModelProfile = {
  ...RULES,
  name: 'google',
  inResults: GOOGLE,
  inFailedResults: true,
  behindResults: GOOGLE,
  inMessages: GOOGLE,
  missingSignature: 'skip_thought_signature_validator',
}

/** Gemini before its third generation: responses of functions carry no media. */
export const google2Profile: ModelProfile = {
  ...RULES,
  name: 'google-2',
  inResults: [],
  inFailedResults: false,
  behindResults: GOOGLE,
  inMessages: GOOGLE,
}
