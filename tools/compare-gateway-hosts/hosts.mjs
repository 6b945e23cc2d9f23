// The programs with a model on loopback, and how each is configured. None needs an account.
import { randomInt } from 'node:crypto'
import { anthropic } from '../../journeys/stage/providers/anthropic.ts'
import { google } from '../../journeys/stage/providers/google.ts'
import { openaiChat } from '../../journeys/stage/providers/openai-chat.ts'
import { openaiResponses } from '../../journeys/stage/providers/openai-responses.ts'
import { NAME } from './use-host.mjs'

const PROMPT = 'Use the tools.'
const json = (value) => `${JSON.stringify(value, null, 2)}\n`
const bin = (modules, program) => `${modules}/.bin/${program}`

/**
 * The hosts. `packages` are installed, the first is the measured one. `install`: the name of a host that `serve --install` configures; `files`
 * returns the configuration of another one. `variables` and `command` make a host use the model, and agree to every call.
 * `toCall` makes the call of a tool, if the model does not call it by its name. `namePrefix`: the name without the name of the server, for a host that sends both. `never`: what it never shows its model.
 */
export const PROGRAMS = [
  {
    id: 'claude',
    title: 'Claude Code',
    install: 'claude',
    packages: ['@anthropic-ai/claude-code'],
    wire: anthropic,
    variables: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      ENABLE_TOOL_SEARCH: 'false',
    }),
    command: ({ modules }) => [
      bin(modules, 'claude'),
      '-p',
      PROMPT,
      '--allowedTools',
      `mcp__${NAME}`,
    ],
  },
  {
    id: 'codex',
    title: 'Codex',
    install: 'codex',
    packages: ['@openai/codex'],
    wire: openaiResponses,
    settings: (url) =>
      `model = "gpt-5"\nmodel_provider = "loopback"\n\n[model_providers.loopback]\nname = "Loopback"\nbase_url = "${url}"\nwire_api = "responses"\n`,
    command: ({ modules }) => [
      bin(modules, 'codex'),
      'exec',
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      PROMPT,
    ],
  },
  {
    id: 'copilot',
    title: 'GitHub Copilot CLI',
    install: 'copilot',
    never: ['picture beside structure'],
    packages: ['@github/copilot'],
    wire: anthropic,
    variables: (url) => ({
      COPILOT_PROVIDER_BASE_URL: url,
      COPILOT_PROVIDER_TYPE: 'anthropic',
      COPILOT_PROVIDER_API_KEY: 'none',
      COPILOT_MODEL: 'claude-sonnet-4',
      COPILOT_OFFLINE: 'true',
    }),
    command: ({ modules }) => [bin(modules, 'copilot'), '-p', PROMPT, '--allow-all-tools'],
  },
  {
    id: 'gemini',
    title: 'Gemini CLI',
    install: 'gemini',
    packages: ['@google/gemini-cli'],
    wire: google,
    settings: () => '{"security": {"auth": {"selectedType": "gemini-api-key"}}}\n',
    variables: (url) => ({
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_API_KEY: 'none',
      GEMINI_TELEMETRY_ENABLED: 'false',
    }),
    command: ({ modules }) => [
      bin(modules, 'gemini'),
      '-m',
      'gemini-2.5-pro',
      '-p',
      PROMPT,
      '--yolo',
      '--skip-trust',
    ],
  },
  {
    id: 'opencode',
    title: 'opencode',
    packages: ['opencode-ai'],
    wire: anthropic,
    files: ({ url, entry }) => ({
      '.config/opencode/opencode.json': json({
        autoupdate: false,
        provider: { anthropic: { options: { baseURL: `${url}/v1`, apiKey: 'none' } } },
        mcp: {
          [NAME]: { type: 'local', command: [entry.command, ...entry.args], enabled: true },
        },
      }),
    }),
    variables: () => ({ OPENCODE_DISABLE_MODELS_FETCH: 'true' }),
    command: ({ modules }) => [
      bin(modules, 'opencode'),
      'run',
      '-m',
      'anthropic/claude-sonnet-4-5',
      PROMPT,
    ],
  },
  {
    id: 'qwen',
    title: 'Qwen Code',
    namePrefix: 'qwen-cli-mcp-client',
    packages: ['@qwen-code/qwen-code'],
    wire: openaiChat,
    files: ({ entry }) => ({
      '.qwen/settings.json': json({
        security: { auth: { selectedType: 'openai' } },
        privacy: { usageStatisticsEnabled: false },
        mcpServers: { [NAME]: { command: entry.command, args: entry.args } },
      }),
    }),
    toCall: callDeferred,
    variables: (url) => ({
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_API_KEY: 'none',
      OPENAI_MODEL: 'qwen3-vl-plus',
    }),
    command: ({ modules }) => [bin(modules, 'qwen'), '--yolo', '-p', PROMPT],
  },
  {
    id: 'cline',
    title: 'Cline CLI',
    never: ['picture beside structure'],
    packages: ['cline'],
    wire: anthropic,
    files: ({ url, entry }) => ({
      '.cline/data/settings/cline_mcp_settings.json': json({
        mcpServers: { [NAME]: { command: entry.command, args: entry.args } },
      }),
      '.cline/data/settings/providers.json': json({
        version: 1,
        lastUsedProvider: 'anthropic',
        modes: {},
        providers: {
          anthropic: {
            settings: {
              provider: 'anthropic',
              apiKey: 'none',
              model: 'claude-sonnet-4-5',
              baseUrl: `${url}/v1`,
            },
            updatedAt: '2026-01-01T00:00:00.000Z',
            tokenSource: 'manual',
          },
        },
      }),
    }),
    // The daemon of another run has the usual port.
    variables: () => ({ CLINE_HUB_PORT: String(randomInt(20_000, 60_000)) }),
    command: ({ modules }) => [bin(modules, 'cline'), PROMPT],
  },
  {
    id: 'continue',
    title: 'Continue CLI',
    never: ['picture beside structure'],
    packages: ['@continuedev/cli'],
    wire: anthropic,
    files: ({ url, entry }) => ({
      '.continue/config.yaml': json({
        name: 'Local',
        version: '1.0.0',
        schema: 'v1',
        models: [
          {
            name: 'Loopback',
            provider: 'anthropic',
            model: 'claude-sonnet-4-5',
            apiKey: 'none',
            apiBase: `${url}/v1`,
            roles: ['chat'],
            capabilities: ['tool_use', 'image_input'],
          },
        ],
        mcpServers: [{ name: NAME, command: entry.command, args: entry.args }],
      }),
    }),
    variables: () => ({ CONTINUE_TELEMETRY_ENABLED: '0' }),
    command: ({ modules }) => [
      bin(modules, 'cn'),
      '--config',
      '.continue/config.yaml',
      '--auto',
      '-p',
      PROMPT,
    ],
  },
  {
    id: 'pi',
    title: 'pi',
    packages: ['@earendil-works/pi-coding-agent'],
    wire: anthropic,
    files: ({ url, entry }) => ({
      '.pi/agent/models.json': json({
        providers: { anthropic: { baseUrl: url, apiKey: 'none' } },
      }),
      '.pi/agent/mcp.json': json({
        mcpServers: { [NAME]: { command: entry.command, args: entry.args, exposure: 'direct' } },
      }),
    }),
    variables: () => ({ PI_OFFLINE: '1' }),
    command: ({ modules }) => [
      bin(modules, 'pi'),
      '--model',
      'anthropic/claude-sonnet-4-5',
      '-p',
      PROMPT,
    ],
  },
]

/** Qwen Code declares the tools of servers only to `tool_search`; `tool_call` calls them. */
function callDeferred(tools, { tool, input }) {
  const caller = tools.find(({ name }) => name === 'tool_call')
  return caller && { tool: caller, input: { name: `mcp__${NAME}__${tool}`, arguments: input } }
}
