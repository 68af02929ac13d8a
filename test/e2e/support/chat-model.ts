import fastify from 'fastify';
import type { IDataObject } from 'n8n-workflow';

interface Message extends IDataObject {
	role: string;
	content: string | null;
}

/** What the stand-in received: the tools it was offered and the conversation so far. */
export interface ChatRequest {
	tools: Array<{ name: string; description: string; parameters: IDataObject }>;
	messages: Message[];
}

/**
 * Starts a stand-in for a chat model with OpenAI's chat completions API: it first requests a call of the offered tool
 * with the arguments that `ask` returns, or several, then answers with the last result.
 */
export async function startChatModel(
	ask: (tool: ChatRequest['tools'][number]) => IDataObject | IDataObject[],
): Promise<{ url: string; requests: ChatRequest[]; close: () => Promise<void> }> {
	const requests: ChatRequest[] = [];
	const app = fastify({ bodyLimit: 50_000_000 });
	app.get('/v1/models', () => ({ object: 'list', data: [{ id: 'stand-in', object: 'model' }] }));
	// Texts are compared by their letters, which is enough for finding one of a few.
	app.post('/v1/embeddings', (request) => {
		const { input } = request.body as { input: string | string[] };
		const data = [input].flat().map((text, index) => ({
			object: 'embedding',
			index,
			embedding: Array.from(
				{ length: 26 },
				(_, n) => text.split(String.fromCharCode(97 + n)).length,
			),
		}));
		return {
			object: 'list',
			model: 'stand-in',
			data,
			usage: { prompt_tokens: 1, total_tokens: 1 },
		};
	});
	app.post('/v1/chat/completions', (request, reply) => {
		const body = request.body as {
			messages: Message[];
			stream?: boolean;
			tools?: Array<{ function: ChatRequest['tools'][number] }>;
		};
		const tools = (body.tools ?? []).map((tool) => tool.function);
		requests.push({ tools, messages: body.messages });
		const last = body.messages.at(-1);
		const message =
			last?.role === 'tool' || tools.length === 0
				? { role: 'assistant', content: `The tool said: ${last?.content ?? ''}` }
				: {
						role: 'assistant',
						content: null,
						tool_calls: [ask(tools[0])].flat().map((call, n) => ({
							id: `call_${requests.length}_${n}`,
							type: 'function',
							function: { name: tools[0].name, arguments: JSON.stringify(call) },
						})),
					};
		const calls = 'tool_calls' in message;
		const frame = { id: 'chat', created: 1, model: 'stand-in' };
		const finish_reason = calls ? 'tool_calls' : 'stop';
		if (!body.stream) {
			return {
				...frame,
				object: 'chat.completion',
				choices: [{ index: 0, message, finish_reason }],
				usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
			};
		}
		const delta = calls
			? { ...message, tool_calls: message.tool_calls?.map((call, index) => ({ index, ...call })) }
			: message;
		const part = (choice: IDataObject) =>
			`data: ${JSON.stringify({ ...frame, object: 'chat.completion.chunk', choices: [choice] })}\n\n`;
		void reply.type('text/event-stream');
		return (
			part({ index: 0, delta, finish_reason: null }) +
			part({ index: 0, delta: {}, finish_reason }) +
			'data: [DONE]\n\n'
		);
	});
	const url = await app.listen({ host: '127.0.0.1', port: 0 });
	return { url, requests, close: async () => await app.close() };
}
