// Verifies the XML signature of each file with the JDK's own implementation (Apache Santuario), with the key of the
// first certificate in KeyInfo: `java VerifySignature.java file...` prints `true` or `false` for each.
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import javax.xml.crypto.AlgorithmMethod;
import javax.xml.crypto.KeySelector;
import javax.xml.crypto.KeySelectorResult;
import javax.xml.crypto.XMLCryptoContext;
import javax.xml.crypto.dsig.XMLSignatureFactory;
import javax.xml.crypto.dsig.dom.DOMValidateContext;
import javax.xml.crypto.dsig.keyinfo.KeyInfo;
import javax.xml.crypto.dsig.keyinfo.X509Data;
import javax.xml.parsers.DocumentBuilderFactory;
import java.security.cert.X509Certificate;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

public class VerifySignature {
    static class FirstCertificate extends KeySelector {
        public KeySelectorResult select(KeyInfo info, Purpose purpose, AlgorithmMethod method, XMLCryptoContext context) {
            for (Object part : info.getContent())
                if (part instanceof X509Data)
                    for (Object one : ((X509Data) part).getContent())
                        if (one instanceof X509Certificate) {
                            X509Certificate certificate = (X509Certificate) one;
                            return certificate::getPublicKey;
                        }
            throw new IllegalStateException("no certificate");
        }
    }

    static boolean verify(String file) {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setNamespaceAware(true);
            Document document = factory.newDocumentBuilder().parse(new File(file));
            NodeList all = document.getElementsByTagName("*");
            for (int i = 0; i < all.getLength(); i++) {
                Element element = (Element) all.item(i);
                if (element.hasAttribute("Id")) element.setIdAttribute("Id", true);
            }
            NodeList found = document.getElementsByTagNameNS("http://www.w3.org/2000/09/xmldsig#", "Signature");
            DOMValidateContext context = new DOMValidateContext(new FirstCertificate(), found.item(0));
            return XMLSignatureFactory.getInstance("DOM").unmarshalXMLSignature(context).validate(context);
        } catch (Exception error) {
            return false;
        }
    }

    public static void main(String[] files) {
        List<String> results = new ArrayList<>();
        for (String file : files) results.add(String.valueOf(verify(file)));
        System.out.println(String.join(" ", results));
    }
}
