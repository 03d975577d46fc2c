import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** Takes orders over HTTP. */
public class Orders {
  private static int orders;

  public static void main(String[] args) throws IOException {
    String[] listen = System.getenv().getOrDefault("LISTEN", "0.0.0.0:8080").split(":");
    HttpServer server = HttpServer.create(new InetSocketAddress(listen[0], Integer.parseInt(listen[1])), 0);
    server.createContext("/ready", exchange -> answer(exchange, "ok\n"));
    server.createContext("/", exchange -> answer(exchange, order(exchange.getRequestURI().getPath())));
    server.start();
    System.out.println("Orders are taken.");
  }

  private static synchronized String order(String path) {
    orders += 1;
    return "order " + orders + " for " + path + "\n";
  }

  private static void answer(HttpExchange exchange, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
