/**
 * The types on each path, each with the file that declares it.
 *
 * @type {Record<string, readonly (readonly [file: string, type: string])[]>}
 */
export const PATHS = {
  'a local tool, from configuration to executor': [
    ['apps/reference-host/src/workspace/configuration/tool-schema.ts', 'ToolConfiguration'],
    ['apps/reference-host/src/workspace/tools/define-tool.ts', 'Description'],
    ['apps/reference-host/src/workspace/tools/define-tool.ts', 'WorkspaceTool'],
    ['packages/local-executor/src/command/local-tool-definition.ts', 'LocalToolDefinition'],
    ['packages/tool-executor/src/tool-entry.ts', 'ToolEntry'],
    ['apps/reference-host/src/workspace/tools/resolve-tools.ts', 'ResolvedTool'],
  ],
  'a message, from provider to request': [
    ['packages/agent/src/model.ts', 'ModelMessageEvent'],
    ['packages/protocol/src/conversation/assistant-message.ts', 'AssistantMessage'],
    ['packages/conversation-store/src/history/project-history.ts', 'ProjectedEntry'],
    ['packages/formatter/src/model/model-request.ts', 'ModelMessage'],
    ['packages/formatter/src/request/read-request.ts', 'RequestTurn'],
  ],
  'an event, from row to page': [
    ['packages/conversation-store/src/rows/event-row.ts', 'EventRow'],
    ['packages/conversation-store/src/events/conversation-event.ts', 'StoredEvent'],
    ['packages/viewer/src/reading/read-cards.ts', 'Card'],
    ['packages/protocol/src/content/rendered-text.ts', 'SafeHtml'],
  ],
}
