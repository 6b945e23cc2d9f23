/** MCP hosts whose files are known. Apart from what is known of them: the help of every command reads only the names. */
export const HOST_NAMES = ['claude', 'codex', 'gemini', 'vscode', 'cursor', 'zed'] as const

export type HostName = (typeof HOST_NAMES)[number]
