import type { MediaRule, ModelProfile } from './model-profile.ts'

/** Valid for every known provider. */
const NAMES = { marks: '_-', startsWithLetter: true, maxLength: 64 }
const PARAMETERS = { marks: '_', startsWithLetter: true, maxLength: 64 }
const IDS = { marks: '_-', startsWithLetter: false, maxLength: 64 }
const RULES = { toolNames: NAMES, callIds: IDS, parameters: PARAMETERS }

function createRules(types: readonly string[], maxLength: number): readonly MediaRule[] {
  return types.map((type) => ({ type, maxLength }))
}

const WEB_IMAGES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']
const PDF = 'application/pdf'
const MEBI = 2 ** 20
const ANTHROPIC = [...createRules(WEB_IMAGES, 5 * MEBI), ...createRules([PDF], 24 * MEBI)]

/**
 * Anthropic's Messages API. Image sizes, 100 images and 32 MB for a request: https://platform.claude.com/docs/en/build-with-claude/vision (600
 * images for models with more than 200,000 tokens). Names below the root of a schema are not checked:
 * https://github.com/aws-solutions-library-samples/accelerated-intelligent-document-processing-on-aws/issues/709
 */
export const anthropicProfile: ModelProfile = {
  ...RULES,
  name: 'anthropic',
  inResults: ANTHROPIC,
  inFailedResults: false,
  afterResults: ANTHROPIC,
  inMessages: ANTHROPIC,
  maxImageSide: 8000,
  manyImages: { images: 20, maxImageSide: 2000 },
  // The rest of the 32 MB is for text.
  inRequest: { maxItems: 100, maxLength: 28 * MEBI },
  parameters: { marks: '_.-', startsWithLetter: false, maxLength: 64 },
}

/** A string has at most 10 MiB there, including the media type before the data. */
const OPENAI_STRING = 10 * MEBI - 100
const OPENAI_IN_TOOLS = createRules([...WEB_IMAGES, PDF], OPENAI_STRING)

/** A request has at most 500 images and 50 MB of them, 20 MB each: https://platform.openai.com/docs/guides/images */
const OPENAI_IN_REQUEST = { maxItems: 500, maxLength: (50_000_000 / 3) * 4 }

/** OpenAI's Responses API. Files: https://developers.openai.com/api/docs/guides/file-inputs */
export const openAiResponsesProfile: ModelProfile = {
  ...RULES,
  name: 'openai-responses',
  inResults: OPENAI_IN_TOOLS,
  inFailedResults: true,
  afterResults: OPENAI_IN_TOOLS,
  inMessages: OPENAI_IN_TOOLS,
  inRequest: OPENAI_IN_REQUEST,
  maxDescription: 1024,
  needsItems: true,
}

const OPENAI_IN_CHAT = createRules(
  [...WEB_IMAGES, PDF, 'audio/wav', 'audio/mpeg', 'audio/mp3'],
  OPENAI_STRING,
)

/** OpenAI's Chat Completions API. A tool message is text. */
export const openAiChatProfile: ModelProfile = {
  ...RULES,
  name: 'openai-chat',
  inResults: [],
  inFailedResults: false,
  afterResults: OPENAI_IN_CHAT.filter(({ type }) => !type.startsWith('audio/')),
  inMessages: OPENAI_IN_CHAT,
  inRequest: OPENAI_IN_REQUEST,
  maxDescription: 1024,
  needsItems: true,
}

/** OpenAI-compatible servers. Many of their models read only text, so a tool's media become notes. */
export const openAiCompatibleProfile: ModelProfile = {
  ...openAiChatProfile,
  name: 'openai-compatible',
  afterResults: [],
  inMessages: createRules(WEB_IMAGES, OPENAI_STRING),
}

const GOOGLE_IN_RESULTS = ['image/png', 'image/jpeg', 'image/webp', 'video/*', PDF]
const GOOGLE = createRules([...GOOGLE_IN_RESULTS, 'image/heic', 'image/heif', 'audio/*'], 18 * MEBI)
const GOOGLE_RULES = {
  ...RULES,
  // A request has 20 MB, including its text: https://firebase.google.com/docs/ai-logic/input-file-requirements
  inRequest: { maxItems: 3000, maxLength: 18 * MEBI },
  // Names in `parameters` must follow this rule at any depth.
  parameters: { ...PARAMETERS, isDeep: true },
  needsItems: true,
}

/**
 * Gemini since its third generation. Media in a result: https://ai.google.dev/gemini-api/docs/function-calling, and video by the types of
 * `@google/genai`; other media follow the results. The sentinel: https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export const geminiProfile: ModelProfile = {
  ...GOOGLE_RULES,
  name: 'google',
  inResults: GOOGLE.filter(({ type }) => GOOGLE_IN_RESULTS.includes(type)),
  inFailedResults: true,
  afterResults: GOOGLE,
  inMessages: GOOGLE,
  missingSignature: 'skip_thought_signature_validator',
}

/** Gemini before its third generation: function responses carry no media. */
export const gemini2Profile: ModelProfile = {
  ...GOOGLE_RULES,
  name: 'google-2',
  inResults: [],
  inFailedResults: false,
  afterResults: GOOGLE,
  inMessages: GOOGLE,
}
