import com.microsoft.java.debug.core.IEvaluatableBreakpoint;
import com.microsoft.java.debug.core.adapter.HotCodeReplaceEvent;
import com.microsoft.java.debug.core.adapter.ICompletionsProvider;
import com.microsoft.java.debug.core.adapter.IDebugAdapterContext;
import com.microsoft.java.debug.core.adapter.IEvaluationProvider;
import com.microsoft.java.debug.core.adapter.IHotCodeReplaceProvider;
import com.microsoft.java.debug.core.adapter.ISourceLookUpProvider;
import com.microsoft.java.debug.core.adapter.IVirtualMachineManagerProvider;
import com.microsoft.java.debug.core.adapter.ProtocolServer;
import com.microsoft.java.debug.core.adapter.ProviderContext;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.Value;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import io.reactivex.Observable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import javax.tools.ToolProvider;
import org.eclipse.jdi.internal.VirtualMachineManagerImpl;

/**
 * The core of Microsoft's Java debugger on standard input and output: one debug session for each process. Its editor half
 * (the Java language server) is replaced by as little as breakpoints, frames and variables need.
 */
public final class JavaDap {
  public static void main(String[] args) {
    var output = System.out;
    System.setOut(System.err); // the protocol has standard output for itself
    var sources = new Sources();
    var providers = new ProviderContext();
    // Not the JDK's own: only this one keeps to the timeout of an attach when the port says nothing.
    IVirtualMachineManagerProvider machines = VirtualMachineManagerImpl::new;
    ICompletionsProvider completions = (frame, text, line, column) -> List.of();
    providers.registerProvider(ISourceLookUpProvider.class, sources);
    providers.registerProvider(IVirtualMachineManagerProvider.class, machines);
    providers.registerProvider(IHotCodeReplaceProvider.class, new NoHotCodeReplace());
    providers.registerProvider(IEvaluationProvider.class, new NoEvaluation());
    providers.registerProvider(ICompletionsProvider.class, completions);
    new ProtocolServer(System.in, output, providers).run();
    sources.detach();
    System.exit(0); // threads of the core would keep the process
  }

  /** Finds the class of a line by parsing the file; from class to file the core looks in `sourcePaths` itself. */
  private static final class Sources implements ISourceLookUpProvider {
    private IDebugAdapterContext attached;

    /** The core calls it when it has attached. */
    @Override
    public synchronized void initialize(IDebugAdapterContext context, Map<String, Object> options) {
      attached = context;
    }

    /** A client that went away without a word must leave no paused thread behind; the core does not see to that. */
    synchronized void detach() {
      if (attached == null) return;
      try {
        attached.getDebugSession().detach();
      } catch (VMDisconnectedException e) {
        // As it should be: the client has detached.
      }
    }

    /** So a breakpoint is verified when the virtual machine has bound it, not before. */
    @Override
    public boolean supportsRealtimeBreakpointVerification() {
      return false;
    }

    @Override
    public String[] getFullyQualifiedName(String source, int[] lines, int[] columns) {
      var file = source.startsWith("file:") ? Path.of(URI.create(source)) : Path.of(source);
      var compiler = ToolProvider.getSystemJavaCompiler();
      try (var files = compiler.getStandardFileManager(null, null, null)) {
        var task = (JavacTask) compiler.getTask(null, files, p -> {}, null, null, files.getJavaFileObjects(file));
        var unit = task.parse().iterator().next();
        var positions = Trees.instance(task).getSourcePositions();
        return IntStream.of(lines).mapToObj(line -> ClassAtLine.in(unit, positions, line)).toArray(String[]::new);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public String getSourceFileURI(String className, String relativePath) {
      return null;
    }

    @Override
    public String getSourceContents(String uri) {
      return null;
    }
  }

  /** The name, as the virtual machine spells it, of the innermost class around a line. */
  private static final class ClassAtLine extends TreeScanner<Void, String> {
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final int line;
    private String found;

    private ClassAtLine(CompilationUnitTree unit, SourcePositions positions, int line) {
      this.unit = unit;
      this.positions = positions;
      this.line = line;
    }

    /** Null where no class is. */
    static String in(CompilationUnitTree unit, SourcePositions positions, int line) {
      var scanner = new ClassAtLine(unit, positions, line);
      scanner.scan(unit, unit.getPackageName() == null ? "" : unit.getPackageName() + ".");
      return scanner.found;
    }

    @Override
    public Void visitClass(ClassTree type, String prefix) {
      LineMap map = unit.getLineMap();
      var first = map.getLineNumber(positions.getStartPosition(unit, type));
      var last = map.getLineNumber(positions.getEndPosition(unit, type));
      if (line < first || line > last || type.getSimpleName().isEmpty()) return null;
      found = prefix + type.getSimpleName();
      return super.visitClass(type, found + "$");
    }
  }

  private static final class NoHotCodeReplace implements IHotCodeReplaceProvider {
    @Override
    public void onClassRedefined(Consumer<List<String>> consumer) {}

    @Override
    public CompletableFuture<List<String>> redefineClasses() {
      return CompletableFuture.completedFuture(List.of());
    }

    @Override
    public Observable<HotCodeReplaceEvent> getEventHub() {
      return Observable.never();
    }
  }

  /** Expressions need a compiler that knows the project. */
  private static final class NoEvaluation implements IEvaluationProvider {
    @Override
    public boolean isInEvaluation(ThreadReference thread) {
      return false;
    }

    @Override
    public CompletableFuture<Value> evaluate(String expression, ThreadReference thread, int depth) {
      return unsupported();
    }

    @Override
    public CompletableFuture<Value> evaluate(String expression, ObjectReference self, ThreadReference thread) {
      return unsupported();
    }

    @Override
    public CompletableFuture<Value> evaluateForBreakpoint(IEvaluatableBreakpoint breakpoint, ThreadReference thread) {
      return unsupported();
    }

    @Override
    public CompletableFuture<Value> invokeMethod(
        ObjectReference self, String method, String signature, Value[] args, ThreadReference thread, boolean isSuper) {
      return unsupported();
    }

    @Override
    public void clearState(ThreadReference thread) {}

    private static CompletableFuture<Value> unsupported() {
      var problem = new UnsupportedOperationException("This test debugger does not evaluate expressions.");
      return CompletableFuture.failedFuture(problem);
    }
  }
}
