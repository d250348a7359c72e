//! The server: `rmcp` speaks the protocol, our table answers.

use std::future::{Future, ready};
use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::{RequestContext, RoleServer, ServiceExt};
use rmcp::{ServerHandler, transport};

use super::arguments::Arguments;
use super::tools::TOOLS;
use super::world::World;

/// What a client is told of us.
const INSTRUCTIONS: &str = "Notes that earlier sessions left about this project and its people. Search before work that a note \
may bear on; weigh each by its age. Propose what will still matter in a month; a person decides what is kept.";

#[derive(Clone)]
struct Server {
    world: Arc<World>,
}

/// Serves until stdin ends.
///
/// # Errors
/// When the client does not speak the protocol, or the runtime cannot be had.
pub fn serve(world: World) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let done = runtime.block_on(async {
        let running = Server { world: Arc::new(world) }.serve(transport::stdio()).await?;
        running.waiting().await?;
        anyhow::Ok(())
    });
    // A read of stdin that nobody waits for would keep it open.
    runtime.shutdown_background();
    done
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let mut info = ServerConfig::new(ServerCapabilities::builder().enable_tools().build());
        info.server_info = Implementation::new("dreamtop", env!("CARGO_PKG_VERSION"));
        info.instructions = Some(INSTRUCTIONS.to_owned());
        info
    }

    fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> impl Future<Output = Result<ListToolsResult, ErrorData>> + Send + '_ {
        let tools = TOOLS.iter().map(|tool| {
            let mut listed = Tool::new(tool.name, tool.description, tool.schema());
            let mut hints = ToolAnnotations::default();
            hints.read_only_hint = Some(tool.only_reads);
            hints.destructive_hint = Some(false);
            hints.open_world_hint = Some(false);
            listed.annotations = Some(hints);
            listed
        });
        ready(Ok(ListToolsResult::with_all_items(tools.collect())))
    }

    fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> impl Future<Output = Result<CallToolResponse, ErrorData>> + Send + '_ {
        ready(self.call(&request.name, &request.arguments.unwrap_or_default()))
    }
}

impl Server {
    fn call(&self, name: &str, arguments: &Arguments) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = TOOLS.iter().find(|tool| tool.name == name) else {
            return Err(ErrorData::invalid_params(format!("there is no tool {name:?}"), None));
        };
        Ok(match (tool.run)(&self.world, arguments) {
            Ok(value) => CallToolResult::structured(value).into(),
            // The model is told, and may do better.
            Err(error) => CallToolResult::error(vec![ContentBlock::text(error)]).into(),
        })
    }
}
